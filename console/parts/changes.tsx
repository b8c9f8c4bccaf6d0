import { ArrowUp } from "lucide-react";
import { countText } from "./amounts.ts";
import { Button } from "./button.tsx";

/**
 * Says what changed in a list since it was read; the list changes when this is pressed.
 *
 * @param text  such as "3 new"; nothing is shown when it is empty
 */
export function Changes({ text, onShow }: { readonly text: string; readonly onShow: () => void }) {
  if (text === "") return null;
  return (
    <div className="new-rows">
      <Button kind="main" size="small" icon={<ArrowUp size={13} aria-hidden />} onPress={onShow}>
        {text}
      </Button>
    </div>
  );
}

/** @param most  rows that were looked at: there may be more than these */
export function newText(count: number, most = Number.POSITIVE_INFINITY): string {
  if (count === 0) return "";
  return count >= most ? `${countText(most)}+ new` : `${countText(count)} new`;
}
