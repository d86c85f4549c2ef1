using System.Globalization;
using System.Net;

namespace MqttCheck.Pipeline.Commands;

/// <summary>
/// The options of <c>mqttcheck-pipeline node</c>, which are those of <c>mqttcheck node</c> and a run.
/// </summary>
internal sealed record NodeArguments
{
    /// <summary>The cluster's name among others on the same servers.</summary>
    public string Run { get; private init; } = "";

    /// <summary>The file of the topology.</summary>
    public string Cluster { get; private init; } = "";

    /// <summary>The name of the node.</summary>
    public string Name { get; private init; } = "";

    /// <summary>The port of its clients.</summary>
    public int Port { get; private init; }

    /// <summary>The directory of its file.</summary>
    public string Directory { get; private init; } = ".";

    /// <summary>The addresses of other nodes.</summary>
    public IReadOnlyList<(string Name, IPEndPoint Address)> Peers { get; private init; } = [];

    /// <summary>Reads them.</summary>
    /// <exception cref="InputException">One is not allowed, or a needed one is missing.</exception>
    public static NodeArguments Parse(IReadOnlyList<string> words)
    {
        var parsed = new NodeArguments();
        foreach (var pair in words.Chunk(2))
            parsed = pair is [var option, var value] ? parsed.With(option, value) : throw Refusal(pair[0], "");
        return parsed.Cluster.Length > 0 && parsed.Name.Length > 0 ? parsed : throw Refusal("--cluster, --name", "");
    }

    private NodeArguments With(string option, string value) =>
        option switch
        {
            "--run" => this with { Run = value },
            "--cluster" => this with { Cluster = value },
            "--name" => this with { Name = value },
            "--directory" => this with { Directory = value },
            // A pipeline takes no decisions that are noted.
            "--notes" => this,
            "--port" when ushort.TryParse(value, CultureInfo.InvariantCulture, out var port) => this with
            {
                Port = port,
            },
            "--peer"
                when value.Split('=') is [var name, var text]
                    && IPEndPoint.TryParse(text, out var address)
                    && IPAddress.IsLoopback(address.Address) => this with
            {
                Peers = [.. Peers, (name, address)],
            },
            _ => throw Refusal(option, value),
        };

    private static InputException Refusal(string option, string value) =>
        new(
            $"{Text.Printable.Value(option)}: '{Text.Printable.Value(value)}' given; allowed: --cluster FILE "
                + "--name NODE --run NAME --port N --directory DIRECTORY "
                + "--notes FILE, and --peer NODE=IP:PORT on loopback."
        );
}
