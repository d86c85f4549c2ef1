import { listen, Refused, unreachable } from "./api.ts";

/** How long moves of a slider are gathered before they are asked, in ms. */
const gather = 40;

/** Asks one question at a time: a newer one ends the older one, and what comes late of an older one is dropped. */
export class Asker {
  private request = 0;
  private stop = new AbortController();
  private timer: number | undefined;
  readonly session = crypto.randomUUID();

  /** The number of the question that counts. */
  get current(): number {
    return this.request;
  }

  /** Ends what is asked. */
  end(): void {
    window.clearTimeout(this.timer);
    this.stop.abort();
    this.request++;
  }

  ask(path: string, question: (session: string, request: number) => unknown, take: (name: string, value: never) => void, failed: (refused: Refused) => void, done?: () => void): void {
    this.end();
    const request = this.request;
    this.timer = window.setTimeout(() => {
      const stop = (this.stop = new AbortController());
      const fresh = () => request === this.request;
      listen(path, question(this.session, request), stop.signal, (name, value) => {
        if (fresh() && ((value as { request?: number }).request ?? request) === request) take(name, value);
      }).then(
        () => { if (fresh()) done?.(); },
        (error: unknown) => {
          // A stale question is refused with 409, and nobody waits for it.
          if (fresh() && !stop.signal.aborted && !(error instanceof Refused && error.status === 409)) failed(error instanceof Refused ? error : unreachable());
        },
      );
    }, gather);
  }
}
