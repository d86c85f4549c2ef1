using MqttCheck.Clients;
using MqttCheck.Logs;

namespace MqttCheck.Learning.Data;

/// <summary>
/// When the connections of one run were set up: from the time at which a CONNECT was meant to be sent, when its
/// connection was begun, to the time at which it was, when the handshakes of TCP, TLS and WebSocket were over. No
/// exchange is open meanwhile, but the broker may work hard.
/// </summary>
internal sealed class ConnectionSetUps
{
    // The median delay of other messages behind their intended times must be this many times smaller. Otherwise the
    // intended times say something else.
    private const double TimesLag = 4;

    private readonly double[] _begins,
        _ends,
        _sent,
        _answered;

    private ConnectionSetUps(double[] begins, double[] ends, double[] sent, double[] answered) =>
        (_begins, _ends, _sent, _answered) = (begins, ends, sent, answered);

    /// <summary>The set-ups of a run.</summary>
    /// <param name="exchanges">All its exchanges.</param>
    /// <returns>Null where the log does not tell.</returns>
    public static ConnectionSetUps? Of(ReadOnlySpan<Exchange> exchanges)
    {
        var all = exchanges.ToArray();
        var connects = Array.FindAll(all, exchange => exchange.Message == MessageKind.Connect);
        var others = Array.FindAll(all, exchange => exchange.Message != MessageKind.Connect);
        if (connects.Length == 0 || others.Length == 0 || !(MedianDelay(connects) > TimesLag * MedianDelay(others)))
            return null;
        return new(
            Sorted(connects, connect => connect.IntendedMicroseconds),
            Sorted(connects, connect => connect.SentMicroseconds),
            Sorted(all, exchange => exchange.SentMicroseconds),
            Sorted(all, exchange => exchange.EndMicroseconds)
        );
    }

    /// <summary>How many are in progress at a time; one that ends then is not.</summary>
    /// <param name="microseconds">The time.</param>
    public int InProgress(double microseconds) =>
        SortedTimes.CountUpTo(_begins, microseconds) - SortedTimes.CountUpTo(_ends, microseconds);

    /// <summary>
    /// Whether nothing else was open or being set up when the set-up of an exchange began, and nothing was begun before
    /// it ended.
    /// </summary>
    /// <param name="connect">The exchange.</param>
    public bool IsAlone(in Exchange connect) =>
        InProgress(connect.IntendedMicroseconds) == 1
        && SortedTimes.CountUpTo(_begins, connect.IntendedMicroseconds)
            == SortedTimes.CountUpTo(_begins, connect.SentMicroseconds)
        && SortedTimes.CountUpTo(_sent, connect.IntendedMicroseconds)
            == SortedTimes.CountUpTo(_answered, connect.IntendedMicroseconds);

    private static double MedianDelay(Exchange[] exchanges) =>
        Sorted(exchanges, exchange => exchange.SentMicroseconds - exchange.IntendedMicroseconds)[exchanges.Length / 2];

    private static double[] Sorted(Exchange[] exchanges, Func<Exchange, double> time) =>
        [.. exchanges.Select(time).Order()];
}
