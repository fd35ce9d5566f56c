import { Empty } from '../../parts/states';

export default function Workbench() {
  return <Empty title="" />;
}
