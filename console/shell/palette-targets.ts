/** Something that the palette leads to. */
export type Target = {
  readonly kind: string;
  readonly text: string;
  readonly to: string;
  /** Where the text is more than that. */
  readonly id?: string;
};

type Known = {
  readonly screens: readonly Target[];
  readonly components: readonly Target[];
  readonly views: readonly Target[];
  readonly users: readonly Target[];
  /** What has exactly the id that was typed. */
  readonly found: readonly Target[];
  /** The session that would have the text as its id; undefined where sessions may not be read. */
  readonly session: Target | undefined;
  /** What can be done with any text. */
  readonly searches: readonly Target[];
};

const MOST = 30;

/** Clients name sessions as they like; a word alone is no id. */
const mayBeId = (text: string): boolean => /^\S*[\d_:-]\S*$/.test(text);

/**
 * What fits a text: what it names as an id, then what begins with it, then what has it within. Without a text, the saved views and
 * the screens.
 */
export function targetsFor(text: string, known: Known): readonly Target[] {
  if (text === "") return [...known.views, ...known.screens];
  const wanted = text.toLowerCase();
  const rankOf = (target: Target): number => {
    if ((target.id ?? target.text) === text) return 0;
    const at = target.text.toLowerCase().indexOf(wanted);
    return at === 0 ? 1 : at > 0 ? 2 : 3;
  };
  const fitting = [...known.views, ...known.screens, ...known.components, ...known.users]
    .map((target) => ({ target, rank: rankOf(target) }))
    .filter(({ rank }) => rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map(({ target }) => target);
  const isFound = known.found.some(({ to }) => to === known.session?.to);
  const session = known.session && !isFound ? [known.session] : [];
  const rest =
    mayBeId(text) && known.found.length === 0
      ? [...session, ...known.searches]
      : [...known.searches, ...session];
  return [...known.found, ...fitting.slice(0, MOST), ...rest];
}
