using System.Net;
using System.Text;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Profiles;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>Encodes the description of a worker's part of a run.</summary>
internal static class FleetPartText
{
    /// <summary>The bytes of a part.</summary>
    /// <param name="setup">A valid setup without TLS or WebSocket.</param>
    /// <param name="share">The clients of the part.</param>
    public static byte[] Write(FleetSetup setup, FleetShare share)
    {
        using var bytes = new MemoryStream();
        using var writer = new BinaryWriter(bytes);
        writer.Write(share.Part);
        writer.Write(share.Parts);
        writer.WriteJson(json => ProfileFile.Write(json, setup.Population));
        writer.Write(setup.Clients);
        writer.Write(setup.CountedSequences ?? 0);
        writer.Write(setup.Duration?.Ticks ?? 0);
        writer.Write(setup.Seed);
        writer.Write(setup.Run);
        writer.Write(setup.Endpoint.Address.ToString());
        writer.WriteValue(setup.Nodes.Select(node => node.Address.ToString()));
        writer.Write(setup.Failover);
        writer.WriteValue(setup.Credentials);
        writer.Write(setup.Prefix);
        writer.Write((byte)setup.ProtocolVersion);
        writer.Write(setup.Client.Name);
        writer.Write(setup.ExchangeTimeout.Ticks);
        writer.Write(setup.ConnectPatience.Ticks);
        writer.Write(setup.MaximumRequestsPerSecond ?? 0);
        writer.Write(setup.TimerCoalescing.Ticks);
        writer.Write(setup.KernelSendStamps);
        return bytes.ToArray();
    }

    /// <summary>Reads the bytes of a part.</summary>
    /// <param name="bytes">The bytes that <see cref="Write"/> returned.</param>
    /// <param name="client">Finds the MQTT client of a name.</param>
    /// <exception cref="InputException">The population or the client is not known here.</exception>
    public static (FleetSetup Setup, FleetShare Share) Read(byte[] bytes, Func<string, ClientKind> client)
    {
        using var reader = new BinaryReader(new MemoryStream(bytes, writable: false));
        var share = new FleetShare(reader.ReadInt32(), reader.ReadInt32());
        // Initialisers run in the order in which the fields were written.
        var setup = new FleetSetup
        {
            Population = ProfileFile.Parse(Encoding.UTF8.GetBytes(reader.ReadString()), "population of a part"),
            Clients = reader.ReadInt32(),
            CountedSequences = reader.ReadInt32() is > 0 and var sequences ? sequences : null,
            Duration = reader.ReadInt64() is > 0 and var ticks ? TimeSpan.FromTicks(ticks) : null,
            Seed = reader.ReadUInt64(),
            Run = reader.ReadInt32(),
            Endpoint = Endpoint(reader.ReadString()),
            Nodes = [.. reader.ReadValue<string[]>().Select(Endpoint)],
            Failover = reader.ReadBoolean(),
            Credentials = reader.ReadValue<Credentials?>(),
            Prefix = reader.ReadString(),
            ProtocolVersion = (ProtocolVersion)reader.ReadByte(),
            Client = client(reader.ReadString()),
            ExchangeTimeout = TimeSpan.FromTicks(reader.ReadInt64()),
            ConnectPatience = TimeSpan.FromTicks(reader.ReadInt64()),
            MaximumRequestsPerSecond = reader.ReadDouble() is > 0 and var rate ? rate : null,
            TimerCoalescing = TimeSpan.FromTicks(reader.ReadInt64()),
            KernelSendStamps = reader.ReadBoolean(),
        };
        return (setup, share);
    }

    private static WireEndpoint Endpoint(string address) => new(IPEndPoint.Parse(address));
}
