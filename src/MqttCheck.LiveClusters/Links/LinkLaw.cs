using MqttCheck.Statistics.Laws;

namespace MqttCheck.LiveClusters.Links;

/// <summary>How a directed link delays, limits and loses the bytes sent over it.</summary>
internal sealed record LinkLaw
{
    /// <summary>The delay in one direction, in milliseconds. Default none.</summary>
    public Law DelayMilliseconds { get; init; } = new ConstantLaw(0);

    /// <summary>How many bits pass in a second; positive, null (the default) for no limit.</summary>
    public double? BitsPerSecond { get; init; }

    /// <summary>
    /// The probability that a segment of 1460 bytes is lost, which TCP repairs after a pause. At least 0 and below 1,
    /// default 0.
    /// </summary>
    public double Loss { get; init; }

    /// <summary>Whether bytes pass at once.</summary>
    internal bool IsIdle => BitsPerSecond is null && Loss == 0 && DelayMilliseconds is ConstantLaw { Mean: 0 };
}
