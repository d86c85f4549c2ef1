using MqttCheck.Cli.Terminal;
using MqttCheck.Properties.Traces;

namespace MqttCheck.Cli.Estimate;

/// <summary>Whose traces properties were judged on, for JSON: a row for each group that is known.</summary>
internal sealed class JudgedTable(Screen screen)
{
    private readonly TextTable _groups = new("property", "traces of", "group", "traces", "judged");

    /// <summary>Adds the groups of an answer.</summary>
    /// <param name="where">What the traces are of.</param>
    public void Add(TraceProperty property, string where, JudgedTraces judged)
    {
        foreach (var group in judged.Groups.Where(group => group.Group.Length > 0))
        {
            _groups.Add($"{property}", where, group.Group, group.Traces, group.Judged);
            _groups.Record(screen);
        }
    }
}
