import { Trash2 } from "lucide-react";
import { countText } from "../amounts.ts";
import { Button } from "../button.tsx";

type RemovalBarProps = {
  readonly count: number;
  readonly onRemove: () => void;
  readonly onClear: () => void;
};

/** What can be done with the rows that are selected, where they can only be deleted. */
export function RemovalBar({ count, onRemove, onClear }: RemovalBarProps) {
  return (
    <>
      <span className="bulk-count">{countText(count)} selected</span>
      <Button kind="danger" size="small" icon={<Trash2 size={13} aria-hidden />} onPress={onRemove}>
        Delete {countText(count)}
      </Button>
      <Button kind="plain" size="small" onPress={onClear}>
        Select none
      </Button>
    </>
  );
}
