using System.Diagnostics;
using MqttCheck.Properties.Formulas;

namespace MqttCheck.Properties.Traces;

/// <summary>The traces of one independent unit: of the clients of a replication, or of a live run.</summary>
/// <param name="Number">The number of the replication or run.</param>
/// <param name="Traces">Each trace's messages in the order of sending.</param>
/// <param name="Groups">The name of the group of each trace's client; empty where it is not known.</param>
internal sealed record TraceUnit(
    int Number,
    IReadOnlyList<IReadOnlyList<TraceMessage>> Traces,
    IReadOnlyList<string> Groups
)
{
    /// <summary>
    /// The value of each trace: 1 or 0 for a formula, NaN where it says nothing, and for a measure without a message.
    /// </summary>
    /// <param name="property">The property.</param>
    internal TraceValues Values(TraceProperty property)
    {
        if (property.Formula is not { } formula)
            return new([.. Traces.Select(property.Measure!.Of)], Groups, 0);
        var cutShort = 0;
        var isBounded = formula.MessagesNeeded is not null || formula.MillisecondsNeeded > 0;
        var monitor = new FormulaMonitor(formula);
        var values = new double[Traces.Count];
        for (var i = 0; i < values.Length; i++)
        {
            monitor.Reset();
            foreach (var message in Traces[i])
                if (monitor.Add(message) != MonitorValue.Open)
                    break;
            if (isBounded && monitor.Value == MonitorValue.Open)
                cutShort++;
            values[i] = monitor.End() switch
            {
                MonitorValue.True => 1,
                MonitorValue.False => 0,
                MonitorValue.Open or MonitorValue.Nothing => double.NaN,
                _ => throw new UnreachableException(),
            };
        }
        return new(values, Groups, cutShort);
    }
}
