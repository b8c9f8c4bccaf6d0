/** Something that the palette leads to. */
export type Target = { readonly kind: string; readonly text: string; readonly to: string };

type Known = {
  readonly screens: readonly Target[];
  readonly components: readonly Target[];
  readonly views: readonly Target[];
  readonly users: readonly Target[];
  /** What has exactly the id that was typed. */
  readonly found: readonly Target[];
  /** What can be done with any text. */
  readonly searches: readonly Target[];
};

const MOST = 30;

/** What fits a text, that which begins with it first. Without a text, the saved views and the screens. */
export function targetsFor(text: string, known: Known): readonly Target[] {
  if (text === "") return [...known.views, ...known.screens];
  const wanted = text.toLowerCase();
  const rankOf = (target: Target): number => {
    const at = target.text.toLowerCase().indexOf(wanted);
    return at === 0 ? 0 : at > 0 ? 1 : 2;
  };
  const fitting = [...known.views, ...known.screens, ...known.components, ...known.users]
    .map((target) => ({ target, rank: rankOf(target) }))
    .filter(({ rank }) => rank < 2)
    .sort((a, b) => a.rank - b.rank)
    .map(({ target }) => target);
  return [...known.found, ...fitting.slice(0, MOST), ...known.searches];
}
