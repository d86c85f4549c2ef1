using MqttCheck.Broker.Delays;

namespace MqttCheck.Tests.Broker.Delays;

/// <summary>A connection that notes what is sent over it, as hexadecimal numbers, and that it was closed.</summary>
internal sealed class DelayRecorder : IDelayedConnection
{
    public List<string> Seen { get; } = [];

    public void SendNow(ReadOnlySpan<byte> packet) => Seen.Add(Convert.ToHexString(packet));

    public void CloseNow() => Seen.Add("closed");
}
