using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Tests.Properties.Live;

/// <summary>Exchanges of a run, as the tests of live properties need them.</summary>
internal static class LiveExchanges
{
    /// <summary>
    /// One run with a sequence of each client: a connect, then messages of the given kinds and latencies, infinite for
    /// a failed one.
    /// </summary>
    public static IEnumerable<Exchange> Run(params (MessageKind Kind, double Milliseconds)[][] clients)
    {
        for (var client = 0; client < clients.Length; client++)
        {
            var index = 0;
            foreach (var (kind, milliseconds) in clients[client].Prepend((MessageKind.Connect, 1)))
                yield return Of(client, sequence: 1, 100 * client + index++, kind, milliseconds);
        }
    }

    public static Exchange Of(int client, int sequence, int index, MessageKind kind, double milliseconds) =>
        new()
        {
            Message = kind,
            Run = 0,
            Client = client,
            Sequence = sequence,
            IssueIndex = index,
            Phase = ExchangePhase.Counted,
            SentMicroseconds = 1e5 * index,
            EndMicroseconds = 1e5 * index + (double.IsFinite(milliseconds) ? 1000 * milliseconds : 5e4),
            AcknowledgedMicroseconds = 1e5 * index + 500,
            LatencyMilliseconds = double.IsFinite(milliseconds) ? milliseconds : double.NaN,
            Outcome = double.IsFinite(milliseconds) ? ExchangeOutcome.Success : ExchangeOutcome.Timeout,
        };

    /// <summary>
    /// Sequences of ten exchanges of the given kinds, one after the other, each of another client, with latencies of a
    /// law. Seed 5.
    /// </summary>
    public static IEnumerable<Exchange> Drawn(Law law, int runs, int sequences, MessageKind[] kinds)
    {
        for (var run = 0; run < runs; run++)
        {
            var random = RandomStream.For(5, (ulong)run);
            for (var i = 0; i < 10 * sequences; i++)
            {
                var latency = law.Draw(ref random);
                yield return Of(i / 10, sequence: 1, i, kinds[i % 10], latency) with
                {
                    Run = run,
                    AcknowledgedMicroseconds = 1e5 * i + 500 * latency,
                };
            }
        }
    }
}
