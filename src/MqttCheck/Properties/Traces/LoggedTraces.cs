using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Profiles;

namespace MqttCheck.Properties.Traces;

/// <summary>Traces of live runs, from their exchanges.</summary>
internal static class LoggedTraces
{
    /// <summary>
    /// The traces of each run: the counted sequences of each client, so many a trace, in the order in which they began.
    /// A trace that the end of the run cut, and every trace that began after it, are not counted: of those the fast
    /// ones finish first.
    /// </summary>
    /// <remarks>
    /// A trace was cut in an exchange if that was cancelled, and in a wait if it ends with a success, is shorter than
    /// the longest trace of the run and its client did nothing after it: a sequence ends with its last message or with
    /// a failure, and a reset follows at once.
    /// </remarks>
    /// <param name="exchanges">The exchanges of all runs, in any order.</param>
    /// <param name="sequencesPerTrace">
    /// How many sequences of a client make a trace, 1 or more; left-over ones are not counted.
    /// </param>
    /// <param name="populationOf">The clients of a run by its number; null where they are not known.</param>
    /// <returns>The runs with at least one trace, and how many traces are not counted.</returns>
    public static (IReadOnlyList<TraceUnit> Runs, long NotCounted) Of(
        IEnumerable<Exchange> exchanges,
        int sequencesPerTrace,
        Func<int, Population?> populationOf
    )
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(sequencesPerTrace);
        var units = new List<TraceUnit>();
        long notCounted = 0;
        foreach (var run in exchanges.GroupBy(exchange => exchange.Run).OrderBy(run => run.Key))
        {
            var last = run.GroupBy(exchange => exchange.Client)
                .ToDictionary(client => client.Key, client => client.Max(exchange => exchange.IssueIndex));
            var traces = run.Where(exchange => exchange.Phase == ExchangePhase.Counted)
                .GroupBy(exchange => exchange.Client)
                .SelectMany(client =>
                    client
                        .GroupBy(exchange => exchange.Sequence)
                        .OrderBy(sequence => sequence.Key)
                        .Chunk(sequencesPerTrace)
                )
                .Where(sequences => sequences.Length == sequencesPerTrace)
                .Select(sequences =>
                    sequences.SelectMany(sequence => sequence.OrderBy(exchange => exchange.IssueIndex)).ToArray()
                )
                .OrderBy(trace => trace[0].IssueIndex)
                .ToArray();
            var longest = traces.Select(trace => trace.Length).DefaultIfEmpty().Max();
            bool IsWhole(Exchange[] trace) =>
                trace.All(exchange => exchange.Outcome != ExchangeOutcome.Cancelled)
                && (
                    trace.Length == longest
                    || last[trace[^1].Client] > trace[^1].IssueIndex
                    || trace[^1].Outcome != ExchangeOutcome.Success
                );
            var counted = traces.TakeWhile(IsWhole).ToArray();
            notCounted += traces.Length - counted.Length;
            var groups = populationOf(run.Key) is { } population
                ? JudgedTraces.GroupNames(population, last.Keys.Max() + 1)
                : null;
            if (counted.Length > 0)
                units.Add(
                    new(
                        run.Key,
                        [
                            .. counted.Select(trace =>
                                (IReadOnlyList<TraceMessage>)[.. trace.Select(exchange => TraceMessage.Of(exchange))]
                            ),
                        ],
                        [.. counted.Select(trace => groups?[trace[0].Client] ?? "")]
                    )
                );
        }
        return (units, notCounted);
    }
}
