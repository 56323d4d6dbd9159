/** Answers each question of the parent, and ends the process when the parent lets go of it. */
export function answerParent<Question>(answer: (question: Question) => unknown): void {
  process.on('message', async (question: Question) => {
    process.send?.((await answer(question)) ?? {});
  });
  process.on('disconnect', () => process.exit());
}
