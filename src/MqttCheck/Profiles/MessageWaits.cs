using MqttCheck.Statistics.Laws;

namespace MqttCheck.Profiles;

/// <summary>
/// The waiting time before each kind of message, in milliseconds, where it is not that of the profile; null where it
/// is.
/// </summary>
/// <param name="Connect">Before connect.</param>
/// <param name="Disconnect">Before disconnect.</param>
/// <param name="Publish">Before publish.</param>
/// <param name="Subscribe">Before subscribe.</param>
/// <param name="Unsubscribe">Before unsubscribe.</param>
public sealed record MessageWaits(Law? Connect, Law? Disconnect, Law? Publish, Law? Subscribe, Law? Unsubscribe);
