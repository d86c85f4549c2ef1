using MqttCheck.App.Check;
using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Check;

/// <summary>The table of statements at the end of a check.</summary>
internal static class StatementTable
{
    public static void Print(Screen screen, CheckDocument document)
    {
        var table = new TextTable("statement", "3.1.1", "5", "class", "judged", "findings", "remark");
        foreach (var line in document.Coverage)
            table.Add(line.Name, line.In311, line.In5, line.Class, line.Judged, line.Findings, line.Remark);
        table.Print(screen);
        screen.Line();
    }
}
