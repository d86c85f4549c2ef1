namespace MqttCheck.App.Clusters.Selfcheck;

/// <summary>How far times may be from the wire, in microseconds and absolute value.</summary>
/// <param name="MedianMicroseconds">The median error of a latency.</param>
/// <param name="LatenessMicroseconds">How late 99 % of requests leave at most.</param>
internal sealed record SelfcheckBounds(double MedianMicroseconds, double P99Microseconds, double LatenessMicroseconds)
{
    /// <summary>With the kernel's stamps of what arrives: Linux.</summary>
    public static SelfcheckBounds KernelArrival { get; } = new(6, 45, 300);

    /// <summary>With the kernel's stamps of what is sent as well.</summary>
    public static SelfcheckBounds Audit { get; } = new(3, 10, 300);
}
