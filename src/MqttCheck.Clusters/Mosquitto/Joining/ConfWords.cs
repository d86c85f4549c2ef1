using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Text;

namespace MqttCheck.Clusters.Mosquitto.Joining;

/// <summary>Reads what a user says of the brokers beside their configurations.</summary>
internal static class ConfWords
{
    /// <summary>The form of the option <c>--at</c>.</summary>
    public const string AtForm = "HOST:PORT=NAME";

    /// <summary>The form of the option <c>--broker</c>.</summary>
    public static string BrokerForm => $"NAME={string.Join('|', BridgePeers.Names)}";

    /// <summary>Reads the option <c>--at</c>.</summary>
    /// <param name="words">Each as <see cref="AtForm"/>.</param>
    /// <exception cref="InputException">One is malformed or given twice.</exception>
    public static IReadOnlyDictionary<string, string> At(IReadOnlyList<string> words) =>
        Pairs("--at", AtForm, words, (address, name) => IsAddress(address) && TopologyNames.IsNode(name) ? name : null);

    /// <summary>Reads the option <c>--broker</c>.</summary>
    /// <param name="words">Each as <see cref="BrokerForm"/>.</param>
    /// <exception cref="InputException">One is malformed or given twice.</exception>
    public static IReadOnlyDictionary<string, BridgePeer> Brokers(IReadOnlyList<string> words) =>
        Pairs<BridgePeer?>("--broker", BrokerForm, words, (_, kind) => BridgePeers.Named(kind))
            .ToDictionary(pair => pair.Key, pair => pair.Value!.Value);

    /// <summary>Whether a value of the option <c>--broker</c> names a broker of the configurations.</summary>
    /// <param name="word">The value. Another one is a broker that is given alone.</param>
    public static bool IsBroker(string word) =>
        word.IndexOf('=', StringComparison.Ordinal) is > 0 and var equals && !word[..equals].Contains(':');

    private static bool IsAddress(string text) =>
        text.LastIndexOf(':') is > 0 and var colon && ushort.TryParse(text.AsSpan(colon + 1), out var port) && port > 0;

    private static Dictionary<string, T> Pairs<T>(
        string option,
        string form,
        IReadOnlyList<string> words,
        Func<string, string, T?> read
    )
    {
        var pairs = new Dictionary<string, T>();
        foreach (var word in words)
        {
            var equals = word.LastIndexOf('=');
            if (equals < 1 || read(word[..equals], word[(equals + 1)..]) is not { } value)
                throw new InputException($"{option}: '{Printable.Value(word)}' is not understood; allowed: {form}");
            if (!pairs.TryAdd(word[..equals], value))
                throw new InputException(
                    $"{option}: '{Printable.Value(word[..equals])}' is given twice; allowed: once each"
                );
        }
        return pairs;
    }
}
