import { errorText } from "../parts/state.tsx";

/** What became of many things, or would. */
export type Outcome = {
  readonly done: readonly string[];
  readonly refused: readonly { readonly id: string; readonly detail: string }[];
  /** More match than one request takes. */
  readonly more: boolean;
};

/** The most that one request takes. */
export const MOST = 1000;
export const AT_A_TIME = 4;

/** Does the same with each of some things, a few at a time. What is refused stops none of the others. */
export async function oneByOne<Thing>(
  things: readonly Thing[],
  idOf: (thing: Thing) => string,
  act: (thing: Thing) => Promise<unknown>,
): Promise<Outcome> {
  const done: string[] = [];
  const refused: { id: string; detail: string }[] = [];
  for (let from = 0; from < things.length; from += AT_A_TIME) {
    await Promise.all(
      things.slice(from, from + AT_A_TIME).map(async (thing) => {
        try {
          await act(thing);
          done.push(idOf(thing));
        } catch (error) {
          refused.push({ id: idOf(thing), detail: errorText(error) });
        }
      }),
    );
  }
  return { done, refused, more: false };
}
