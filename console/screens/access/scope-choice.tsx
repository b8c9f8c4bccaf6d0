import { useMe } from "../../access/use-me.ts";
import { Checkbox } from "../../parts/form/fields.tsx";
import { scopeText } from "./scope-texts.ts";

type ScopeChoiceProps = {
  /** Every scope that there is to choose from. */
  readonly known: readonly string[];
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
};

/** Scopes to choose from, one group for each kind of thing. */
export function ScopeChoice({ known, chosen, onChange }: ScopeChoiceProps) {
  const { admin_scope } = useMe();
  const groups = Map.groupBy(known, (scope) => scope.split(":")[0] ?? "");
  const set = (scope: string, isOn: boolean) => {
    const next = new Set(chosen);
    if (isOn) next.add(scope);
    else next.delete(scope);
    onChange(next);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must reach
    <fieldset className="scope-choice" tabIndex={0}>
      <legend className="hidden-visually">Scopes</legend>
      {[...groups].map(([resource, scopes]) => (
        <div key={resource} className="scope-group">
          {scopes.toSorted(byWeight).map((scope) => (
            <Checkbox key={scope} isSelected={chosen.has(scope)} onChange={(isOn) => set(scope, isOn)}>
              <span className="scope">
                <span>{scopeText(scope, admin_scope)}</span>
                <code className="faint">{scope}</code>
              </span>
            </Checkbox>
          ))}
        </div>
      ))}
    </fieldset>
  );
}

const actions = ["read", "run", "write", "delete"];
const weightOf = (scope: string): number => actions.indexOf(scope.split(":").at(-1) ?? "");
/** What does least harm comes first. */
const byWeight = (a: string, b: string): number => weightOf(a) - weightOf(b);
