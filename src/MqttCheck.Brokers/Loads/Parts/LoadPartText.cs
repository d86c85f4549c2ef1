using System.Net;
using System.Text;
using MqttCheck.Brokers.Fleets.Parts;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Loads.Parts;

/// <summary>Encodes the description of a worker's part of a load.</summary>
internal static class LoadPartText
{
    /// <summary>The bytes of a part.</summary>
    /// <param name="setup">The setup of the part, without TLS, WebSocket or several nodes.</param>
    public static byte[] Write(LoadSetup setup)
    {
        using var bytes = new MemoryStream();
        using var writer = new BinaryWriter(bytes);
        writer.WriteJson(json => WorkloadFormat.Kind.Write(json, setup.Workload));
        // A part's share of a rate has more digits than a workload file.
        writer.Write(setup.Workload.MessagesPerSecond);
        writer.Write(setup.Endpoint.Address.ToString());
        writer.WriteValue(setup.Credentials);
        writer.Write((byte)setup.Version);
        writer.Write(setup.Client.Name);
        writer.Write(setup.Prefix);
        writer.Write(setup.Seed);
        writer.Write(setup.Drain.Ticks);
        writer.Write(setup.ConnectPatience.Ticks);
        return bytes.ToArray();
    }

    /// <summary>Reads the bytes of a part.</summary>
    /// <param name="bytes">The bytes that <see cref="Write"/> returned.</param>
    /// <param name="client">Finds the MQTT client of a name.</param>
    /// <exception cref="InputException">The workload or the client is not known here.</exception>
    public static LoadSetup Read(byte[] bytes, Func<string, ClientKind> client)
    {
        using var reader = new BinaryReader(new MemoryStream(bytes, writable: false));
        // Initialisers run in the order in which the fields were written.
        return new()
        {
            Workload = WorkloadFile.Parse(Encoding.UTF8.GetBytes(reader.ReadString()), "workload of a part") with
            {
                MessagesPerSecond = reader.ReadDouble(),
            },
            Endpoint = new(IPEndPoint.Parse(reader.ReadString())),
            Credentials = reader.ReadValue<Credentials?>(),
            Version = (ProtocolVersion)reader.ReadByte(),
            Client = client(reader.ReadString()),
            Prefix = reader.ReadString(),
            Seed = reader.ReadUInt64(),
            Drain = TimeSpan.FromTicks(reader.ReadInt64()),
            ConnectPatience = TimeSpan.FromTicks(reader.ReadInt64()),
        };
    }
}
