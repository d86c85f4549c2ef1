using MqttCheck.Clients;
using MqttCheck.Logs;

namespace MqttCheck.Checking.Properties;

/// <summary>Traces of live runs, from their exchanges.</summary>
public static class LoggedTraces
{
    /// <summary>
    /// The traces of each run: the counted sequences of each client, so many a trace, in the order in which they began. A trace with an exchange that was cancelled at the end of the run, and every
    /// trace that began after it, are not counted: of those the fast ones finish first.
    /// </summary>
    /// <param name="exchanges">The exchanges of all runs, in any order.</param>
    /// <param name="sequencesPerTrace">How many sequences of a client make a trace, 1 or more; left-over ones are not counted.</param>
    /// <returns>The runs with at least one trace, and how many traces are not counted.</returns>
    public static (IReadOnlyList<TraceUnit> Runs, long NotCounted) Of(IEnumerable<Exchange> exchanges, int sequencesPerTrace = 1)
    {
        ArgumentNullException.ThrowIfNull(exchanges);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(sequencesPerTrace);
        var units = new List<TraceUnit>();
        long notCounted = 0;
        foreach (var run in exchanges.Where(exchange => exchange.Phase == ExchangePhase.Counted).GroupBy(exchange => exchange.Run).OrderBy(run => run.Key))
        {
            var traces = run.GroupBy(exchange => exchange.Client)
                .SelectMany(client => client.GroupBy(exchange => exchange.Sequence).OrderBy(sequence => sequence.Key).Chunk(sequencesPerTrace))
                .Where(sequences => sequences.Length == sequencesPerTrace)
                .Select(sequences => sequences.SelectMany(sequence => sequence.OrderBy(exchange => exchange.IssueIndex)).ToArray())
                .OrderBy(trace => trace[0].IssueIndex).ToArray();
            var counted = traces.TakeWhile(trace => trace.All(exchange => exchange.Outcome != ExchangeOutcome.Cancelled)).ToArray();
            notCounted += traces.Length - counted.Length;
            if (counted.Length > 0) units.Add(new(run.Key, [.. counted.Select(trace => (IReadOnlyList<TraceMessage>)[.. trace.Select(exchange => TraceMessage.Of(exchange))])]));
        }
        return (units, notCounted);
    }
}
