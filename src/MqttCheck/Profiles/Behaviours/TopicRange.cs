using System.Globalization;

namespace MqttCheck.Profiles.Behaviours;

/// <summary>Topics with one name and following numbers.</summary>
/// <param name="First">Number of the first one.</param>
/// <param name="Name">The name with its fields.</param>
/// <param name="Count">How many there are for all clients, or for each.</param>
/// <param name="Clients">The clients that each have their own; null where all share them.</param>
internal sealed record TopicRange(int First, string Name, int Count, IReadOnlyList<int>? Clients)
{
    /// <summary>The number behind the last topic.</summary>
    public int End => First + Count * (Clients?.Count ?? 1);

    /// <summary>The name of a topic.</summary>
    /// <param name="number">Its number, one of this range.</param>
    public string NameOf(int number)
    {
        var (client, topic) = Math.DivRem(number - First, Count);
        var name = Clients is null ? Name : Filled(Name, ClientWill.ClientField, Clients[client]);
        return Filled(name, UsageProfile.TopicField, topic);
    }

    /// <summary>A name in which a number stands for a field.</summary>
    /// <param name="name">The name.</param>
    /// <param name="field">The field.</param>
    /// <param name="number">The number.</param>
    public static string Filled(string name, string field, int number) =>
        name.Replace(field, number.ToString(CultureInfo.InvariantCulture), StringComparison.Ordinal);
}
