import { Check, Columns3 } from "lucide-react";
import { Menu as AriaMenu, MenuItem, MenuTrigger } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import { Button } from "../button.tsx";

type ColumnMenuProps = {
  readonly columns: readonly { readonly id: string; readonly name: string }[];
  readonly hidden: ReadonlySet<string>;
  readonly onChange: (hidden: readonly string[]) => void;
};

/** Which columns of a list are shown. */
export function ColumnMenu({ columns, hidden, onChange }: ColumnMenuProps) {
  const shown = columns.filter(({ id }) => !hidden.has(id)).map(({ id }) => id);
  return (
    <MenuTrigger>
      <Button icon={<Columns3 size={14} aria-hidden />}>Columns</Button>
      <Popover className="popover" placement="bottom end">
        <AriaMenu
          aria-label="Columns"
          items={columns}
          selectionMode="multiple"
          selectedKeys={shown}
          onSelectionChange={(keys) =>
            onChange(columns.filter(({ id }) => keys !== "all" && !keys.has(id)).map(({ id }) => id))
          }
        >
          {({ id, name }) => (
            <MenuItem id={id} textValue={name} className="option">
              {({ isSelected }) => (
                <>
                  <Check size={14} aria-hidden style={{ visibility: isSelected ? "visible" : "hidden" }} />
                  {name}
                </>
              )}
            </MenuItem>
          )}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
