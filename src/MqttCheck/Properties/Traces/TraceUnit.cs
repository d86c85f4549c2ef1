using System.Diagnostics;
using MqttCheck.Properties.Formulas;

namespace MqttCheck.Properties.Traces;

/// <summary>The traces of one independent unit: of the clients of a replication, or of a live run.</summary>
/// <param name="Number">The number of the replication or run.</param>
/// <param name="Traces">Each trace's messages in the order of sending.</param>
internal sealed record TraceUnit(int Number, IReadOnlyList<IReadOnlyList<TraceMessage>> Traces)
{
    /// <summary>
    /// The value of each trace: 1 or 0 for a formula, NaN where it says nothing, and for a measure without a message.
    /// </summary>
    /// <param name="property">The property.</param>
    /// <param name="cutShort">How many traces ended before they decided a formula whose spans are bounded.</param>
    internal double[] Values(TraceProperty property, out int cutShort)
    {
        cutShort = 0;
        if (property.Formula is not { } formula)
            return [.. Traces.Select(property.Measure!.Of)];
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
        return values;
    }
}
