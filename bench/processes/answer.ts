/** Replies to the parent's questions, and ends the process when the parent disconnects. */
export function answerParent<Question>(answer: (question: Question) => unknown): void {
  process.on('message', async (question: Question) => {
    process.send?.((await answer(question)) ?? {});
  });
  process.on('disconnect', () => process.exit());
}
