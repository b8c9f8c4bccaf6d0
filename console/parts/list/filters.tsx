import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../button.tsx";
import type { Choice } from "../form/choice-option.tsx";
import { Segments } from "../form/segments.tsx";
import { Select } from "../form/select.tsx";
import { SearchField } from "./search-field.tsx";

type Values<Name extends string> = Readonly<Record<Name, string>>;

/** A filter of a list: a choice where it has choices, otherwise a search. */
export type Filter<Name extends string = string> = {
  readonly name: Name;
  readonly label: string;
  readonly placeholder?: string;
  readonly choices?: readonly Choice[];
  /** The choices stand beside each other, one press away. */
  readonly areShown?: boolean;
  /** An address may still set it. */
  readonly isHidden?: boolean;
  /** Leaves every row where it is allowed to be. */
  readonly isOrder?: boolean;
};

type FiltersProps<Name extends string> = {
  readonly filters: readonly Filter<NoInfer<Name>>[];
  readonly values: Values<Name>;
  readonly onChange: (changes: Partial<Record<NoInfer<Name>, string>>) => void;
  /** Clears these filters, unless the screen clears more. */
  readonly onClear?: () => void;
  readonly canClear?: boolean;
  /** Stands behind the filters. */
  readonly children?: ReactNode;
};

/** Whether a filter may leave rows out. */
export const isFiltered = <Name extends string>(
  filters: readonly Filter<NoInfer<Name>>[],
  values: Values<Name>,
): boolean => filters.some(({ name, isOrder }) => !isOrder && values[name] !== "");

/** The filters of a list, from their declaration. */
export function Filters<Name extends string>(props: FiltersProps<Name>) {
  const { filters, values, onChange, canClear = isFiltered(filters, values), children } = props;
  const change = (names: readonly Name[], value: string): void =>
    onChange(Object.fromEntries(names.map((name) => [name, value])) as Partial<Record<Name, string>>);
  const { onClear = () => change(namesOf(filters), "") } = props;
  return (
    <div className="filters">
      {filters.map(({ name, choices, areShown, isHidden, isOrder, ...look }) => {
        const field = { ...look, value: values[name], onChange: (value: string) => change([name], value) };
        if (isHidden) return null;
        if (choices && areShown) return <Segments key={name} {...field} choices={choices} />;
        return choices ? (
          <Select key={name} {...field} choices={choices} />
        ) : (
          <SearchField key={name} {...field} />
        );
      })}
      {canClear && (
        <Button kind="plain" icon={<X size={14} aria-hidden />} onPress={onClear}>
          Clear
        </Button>
      )}
      {children}
    </div>
  );
}

const namesOf = <Name extends string>(filters: readonly Filter<Name>[]): readonly Name[] =>
  filters.map(({ name }) => name);
