namespace MqttCheck.Clients;

/// <summary>Facts about <see cref="MessageKind"/>.</summary>
internal static class MessageKinds
{
    /// <summary>How many kinds there are; kinds are 0 .. Count - 1, so arrays can be indexed by kind.</summary>
    public const int Count = 5;

    internal static readonly string[] Names = ["connect", "disconnect", "publish", "subscribe", "unsubscribe"];

    /// <summary>The name used in logs, profiles and reports, in lower case.</summary>
    /// <param name="kind">A defined kind.</param>
    public static string Name(this MessageKind kind) => Names[(int)kind];

    /// <summary>The kind with the given lower-case name.</summary>
    /// <param name="name">For example <c>publish</c>.</param>
    /// <param name="kind">The kind, when the name is known.</param>
    /// <returns>Whether the name is known.</returns>
    public static bool TryParse(string name, out MessageKind kind)
    {
        var index = Array.IndexOf(Names, name);
        kind = index >= 0 ? (MessageKind)index : default;
        return index >= 0;
    }
}
