namespace MqttCheck.Clusters.Monitors.Retained;

/// <summary>
/// A write or a read of one register. It takes effect at one time between its call and its return.
/// </summary>
/// <param name="IsWrite">Whether it writes; otherwise it reads.</param>
/// <param name="Value">What it writes or has read; <see cref="Nothing"/> for an empty register.</param>
/// <param name="Called">When it was asked for, in nanoseconds.</param>
/// <param name="Returned">
/// When it was answered; <see cref="Never"/> for a write without an answer, which may or may not have happened.
/// </param>
/// <param name="Node">The index of the node that it was asked of.</param>
internal readonly record struct RegisterOperation(bool IsWrite, long Value, long Called, long Returned, int Node)
{
    /// <summary>The value of a register before the first write.</summary>
    public const long Nothing = -1;

    /// <summary>The return of an operation that was not answered.</summary>
    public const long Never = long.MaxValue;
}
