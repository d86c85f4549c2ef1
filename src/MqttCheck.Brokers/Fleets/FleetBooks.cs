using System.Globalization;
using MqttCheck.Clients;
using MqttCheck.Logs;

namespace MqttCheck.Brokers.Fleets;

/// <summary>
/// Keeps the exchanges of a fleet: counts and diagnoses them, and hands them to the log in the order of their times.
/// </summary>
/// <param name="timeline">The exchanges on their way into the log.</param>
/// <param name="diagnosis">The observations that the run makes about itself.</param>
/// <param name="fail">Told when the log fails, once.</param>
internal sealed class FleetBooks(IExchangeTimeline timeline, RunDiagnosis diagnosis, Action<Exception> fail)
{
    private const int FailuresInWords = 8;

    private bool _sinkFailed;

    /// <summary>The exchanges on their way into the log.</summary>
    public IExchangeTimeline Timeline => timeline;

    /// <summary>When the run began, on the wire's clock.</summary>
    public long StartNanoseconds { get; private set; }

    /// <summary>When its last exchange ended.</summary>
    public long EndNanoseconds { get; private set; }

    /// <summary>How many exchanges ended how.</summary>
    public long[] ByOutcome { get; } = new long[Enum.GetValues<ExchangeOutcome>().Length];

    /// <summary>The first failures in words.</summary>
    public List<string> Failures { get; } = new(FailuresInWords);

    /// <summary>The run begins.</summary>
    public void Begin(long nowNanoseconds) => StartNanoseconds = EndNanoseconds = nowNanoseconds;

    /// <summary>A time in the log: microseconds since the run began, NaN for <see cref="OpenExchange.None"/>.</summary>
    public double Microseconds(long nanoseconds) =>
        nanoseconds == OpenExchange.None ? double.NaN : (nanoseconds - StartNanoseconds) / 1e3;

    /// <summary>Logs an exchange that has ended.</summary>
    /// <param name="entry">Its entry in the timeline.</param>
    /// <param name="exchange">The exchange, without its features.</param>
    /// <param name="endNanoseconds">When it ended.</param>
    public void Append(int entry, in Exchange exchange, long endNanoseconds)
    {
        ByOutcome[(int)exchange.Outcome]++;
        EndNanoseconds = Math.Max(EndNanoseconds, endNanoseconds);
        diagnosis.Ended(exchange);
        timeline.End(entry, exchange, endNanoseconds);
        Log(timeline.LatestNanoseconds - ExchangeTimeline.WindowNanoseconds);
    }

    /// <summary>Notes a failure in words, while there is room.</summary>
    public void NoteFailure(int client, MessageKind? kind, ExchangeOutcome outcome, long atNanoseconds, string detail)
    {
        if (Failures.Count == FailuresInWords)
            return;
        var what = kind is { } known ? known.Name() : "while idle";
        var milliseconds = (atNanoseconds - StartNanoseconds) / 1e6;
        Failures.Add(
            string.Create(
                CultureInfo.InvariantCulture,
                $"client {client}, {what}, at {milliseconds:F1} ms: {outcome}: {detail}"
            )
        );
    }

    /// <summary>Hands on the exchanges that were over by a time.</summary>
    /// <param name="untilNanoseconds">The time; <see cref="long.MaxValue"/> for everything.</param>
    public void Log(long untilNanoseconds)
    {
        if (_sinkFailed)
            return;
        try
        {
            timeline.FoldUntil(untilNanoseconds);
        }
        catch (Exception e)
        {
            _sinkFailed = true;
            fail(e);
        }
    }
}
