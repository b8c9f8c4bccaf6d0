import { Ellipsis } from "lucide-react";
import type { ReactNode } from "react";
import { Menu as AriaMenu, MenuItem, MenuTrigger } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import { Button } from "./button.tsx";

export type MenuEntry = {
  readonly id: string;
  readonly text: string;
  readonly icon?: ReactNode;
  readonly isDangerous?: boolean;
  readonly onAction: () => void;
};

/** Acts that are needed now and then. */
export function Menu({
  label,
  entries,
  icon,
  size = "small",
}: {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  /** Of a button that shows the label too, a small one unless it stands among others. */
  readonly icon?: ReactNode;
  readonly size?: "small" | "normal";
}) {
  if (entries.length === 0) return null;
  return (
    <MenuTrigger>
      {icon ? (
        <Button {...(size === "small" && { size })} icon={icon}>
          {label}
        </Button>
      ) : (
        <Button icon={<Ellipsis size={16} aria-hidden />} aria-label={label} />
      )}
      <Popover className="popover" placement="bottom end">
        <AriaMenu items={entries}>
          {({ id, text, icon, isDangerous, onAction }) => (
            <MenuItem
              id={id}
              textValue={text}
              className={isDangerous ? "option option-danger" : "option"}
              onAction={onAction}
            >
              {icon}
              {text}
            </MenuItem>
          )}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
