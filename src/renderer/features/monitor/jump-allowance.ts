/** One look at a player that follows the live edge. */
export interface JumpLook {
  /** It shows nothing new: it seeks, or hasn't played yet. */
  isUnderWay: boolean;
  /** How far it is behind its target, in seconds. */
  behindSeconds: number;
}

/**
 * Decides how far behind its target a player may be before it jumps to live. Give it a look whenever the player is about to decide, since it
 * takes for granted that a player farther behind jumps.
 *
 * A jump throws away what was loaded for the one before, and then needs the media from a keyframe on. If that takes longer than the slack,
 * as on a busy computer or a slow connection, a player that always jumps shows no picture at all. Therefore it doesn't jump before the last
 * jump has arrived, and if two in a row have arrived too far behind, it stays there and catches up by playing faster (`holdLiveEdge`).
 */
export class JumpAllowance {
  #hasJumped = false;
  /** How far behind it was after its last jump, or has been since. */
  #landedSeconds = 0;
  /** How far behind it may stay, since a jump would arrive no closer. */
  #allowedSeconds = 0;

  /** How far behind its target it may be, in seconds, `slackSeconds` at least; infinite while a jump is under way. */
  find({ isUnderWay, behindSeconds }: JumpLook, slackSeconds: number): number {
    if (isUnderWay) return Number.POSITIVE_INFINITY;
    const nowSeconds = Math.max(0, behindSeconds);
    this.#allowedSeconds = Math.min(this.#hasJumped ? this.#landedSeconds : this.#allowedSeconds, nowSeconds);
    this.#landedSeconds = this.#hasJumped ? nowSeconds : Math.min(this.#landedSeconds, nowSeconds);
    const farthestSeconds = slackSeconds + this.#allowedSeconds;
    this.#hasJumped = nowSeconds > farthestSeconds;
    return farthestSeconds;
  }
}
