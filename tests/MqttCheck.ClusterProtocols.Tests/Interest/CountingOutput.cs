using MqttCheck.ClusterProtocols.Hops;

namespace MqttCheck.ClusterProtocols.Tests.Interest;

/// <summary>Counts what nodes send, by the number of the control message; data count as number -1.</summary>
internal sealed class CountingOutput(IClusterOutput output, Dictionary<int, int> counts) : IClusterOutput
{
    public const int Data = -1;

    public void Send(int peer, in PeerMessage message)
    {
        var kind = message.Kind == PeerMessageKind.Data ? Data : message.ControlKind;
        if (message.Kind is PeerMessageKind.Data or PeerMessageKind.Control)
            counts[kind] = counts.GetValueOrDefault(kind) + 1;
        output.Send(peer, message);
    }

    public void Deliver(in RoutedMessage message) => output.Deliver(message);

    public void Accept(long token) => output.Accept(token);

    public void Note(in ClusterNote note) => output.Note(note);
}
