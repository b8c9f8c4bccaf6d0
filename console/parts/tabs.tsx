import type { ReactNode } from "react";
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from "react-aria-components/Tabs";

export type TabEntry = {
  readonly id: string;
  readonly title: ReactNode;
  readonly content: ReactNode;
};

type TabsProps = {
  readonly label: string;
  readonly tabs: readonly TabEntry[];
  readonly value: string;
  readonly onChange: (id: string) => void;
};

/** Views of one thing, of which one is seen. The first one is seen where the value names none. */
export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  const selected = tabs.some(({ id }) => id === value) ? value : (tabs[0]?.id ?? "");
  return (
    <AriaTabs
      className="tabs"
      selectedKey={selected}
      onSelectionChange={(key) => onChange(key === tabs[0]?.id ? "" : String(key))}
    >
      <TabList aria-label={label} className="tabs-list">
        {tabs.map(({ id, title }) => (
          <Tab key={id} id={id} className="tab">
            {title}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className="stack tab-panel">
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
