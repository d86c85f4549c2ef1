using MqttCheck.Conformance.Checking;

namespace MqttCheck.App.Check;

/// <summary>The load under which a broker is checked: messages per second, or clients of a profile.</summary>
/// <param name="Text">The load in words.</param>
/// <param name="On">Puts it on a broker; takes the seed of what is random in it.</param>
internal sealed record CheckLoad(string Text, Func<CheckTarget, ulong, IBackgroundLoad> On);
