import { ArrowUp } from "lucide-react";
import { Button } from "./button.tsx";

/** Offers what was added to a list since; the list itself does not move. */
export function NewRows({ count, onShow }: { readonly count: number; readonly onShow: () => void }) {
  if (count === 0) return null;
  return (
    <div className="new-rows">
      <Button kind="main" size="small" icon={<ArrowUp size={13} aria-hidden />} onPress={onShow}>
        {count} new
      </Button>
    </div>
  );
}
