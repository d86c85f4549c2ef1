using System.Globalization;
using System.Text;
using MqttCheck.Broker.Peers;
using MqttCheck.Broker.Sessions;

namespace MqttCheck.Tests.Broker.Peers;

/// <summary>Peers that note what a broker tells them. Their names are numbers; 9 and texts are no peers.</summary>
internal sealed class RecordedPeers : IBrokerPeers
{
    public List<string> Told { get; } = [];

    /// <summary>Whether acknowledgements wait.</summary>
    public bool Holds { get; set; }

    public bool IsInBand { get; set; }

    public bool IsStatement(ReadOnlySpan<byte> inside) => inside[0] != 0xFF;

    public void Pinged(int peer, ReadOnlySpan<byte> inside) => Told.Add($"{peer} pings {Convert.ToHexString(inside)}");

    public string? Greet(string greeting, out int peer)
    {
        var isNumber = int.TryParse(greeting, NumberStyles.None, CultureInfo.InvariantCulture, out peer);
        return !isNumber || peer == 9 ? null : $"welcome {peer}";
    }

    public void Connected(int peer) => Told.Add($"{peer} connected");

    public void Disconnected(int peer) => Told.Add($"{peer} disconnected");

    public void Receive(int peer, Message message) => Told.Add($"{peer} sends {Text(message)}");

    public bool Published(Message message, long token)
    {
        Told.Add($"published {token}: {Text(message)}");

        return Holds;
    }

    /// <summary>The numbers of clients, in order.</summary>
    public List<int> Clients { get; } = [];

    public void ClientsChanged(int clients) => Clients.Add(clients);

    public void InterestBegan(string filter) => Told.Add($"+{filter}");

    public void InterestEnded(string filter) => Told.Add($"-{filter}");

    private static string Text(Message message) =>
        $"{Encoding.UTF8.GetString(message.Topic)}={Encoding.UTF8.GetString(message.Payload)}";
}
