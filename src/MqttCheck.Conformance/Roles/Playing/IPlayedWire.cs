namespace MqttCheck.Conformance.Roles.Playing;

/// <summary>The connections of a run, as the broker that is played uses them.</summary>
internal interface IPlayedWire
{
    void Send(int connection, ReadOnlyMemory<byte> bytes);

    void Close(int connection);
}
