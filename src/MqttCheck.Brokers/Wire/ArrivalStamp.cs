namespace MqttCheck.Brokers.Wire;

/// <summary>When bytes arrived.</summary>
/// <param name="Nanoseconds">
/// Time of arrival on the clock of <see cref="IWire.NowNanoseconds"/>. With kernel stamps, that of the last segment of
/// the read.
/// </param>
/// <param name="FromKernel">
/// Whether the kernel stamped it on arrival; otherwise it was taken when the read returned.
/// </param>
public readonly record struct ArrivalStamp(long Nanoseconds, bool FromKernel);
