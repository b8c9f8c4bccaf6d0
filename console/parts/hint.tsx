import type { ReactElement } from "react";
import { Tooltip, TooltipTrigger } from "react-aria-components/Tooltip";

/** Says more about what is pointed at, or focused. */
export function Hint({ text, children }: { readonly text: string; readonly children: ReactElement }) {
  return (
    <TooltipTrigger delay={400}>
      {children}
      <Tooltip className="hint" offset={6}>
        {text}
      </Tooltip>
    </TooltipTrigger>
  );
}
