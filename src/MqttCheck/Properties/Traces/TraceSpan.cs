using MqttCheck.Properties.Language;

namespace MqttCheck.Properties.Traces;

/// <summary>
/// How far a temporal operator looks: over so many messages, or for so long, or to the end of the trace.
/// </summary>
public readonly record struct TraceSpan
{
    private TraceSpan(int? messages, double? milliseconds) =>
        (MessageCount, DurationMilliseconds) = (messages, milliseconds);

    /// <summary>To the end of the trace.</summary>
    public static TraceSpan Whole => default;

    /// <summary>How many messages, the present one included; null without such a bound.</summary>
    public int? MessageCount { get; }

    /// <summary>
    /// How long after the present message is sent a message must be answered to be looked at, in milliseconds; null
    /// without such a bound.
    /// </summary>
    public double? DurationMilliseconds { get; }

    /// <summary>Over a number of messages, the present one included.</summary>
    /// <param name="count">1 or more.</param>
    public static TraceSpan Messages(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(count);
        return new(count, null);
    }

    /// <summary>Over the messages that are answered within a time from the sending of the present one.</summary>
    /// <param name="milliseconds">Positive and finite.</param>
    public static TraceSpan Milliseconds(double milliseconds)
    {
        Arguments.Require(
            milliseconds > 0 && double.IsFinite(milliseconds),
            milliseconds,
            "must be positive and finite"
        );
        return new(null, milliseconds);
    }

    /// <summary>Over the messages that are answered within a time from the sending of the present one.</summary>
    /// <param name="duration">Positive.</param>
    public static TraceSpan Within(TimeSpan duration) => Milliseconds(duration.TotalMilliseconds);

    /// <summary>
    /// The span as text, for example <c>&lt;=10msg</c> or <c>&lt;=200ms</c>; empty for the whole trace.
    /// </summary>
    public override string ToString() =>
        MessageCount is { } count ? FormattableString.Invariant($"<={count}msg")
        : DurationMilliseconds is { } time ? "<=" + PropertyText.Duration(time)
        : "";
}
