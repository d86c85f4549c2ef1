namespace MqttCheck.Cli.Cluster.Pages;

/// <summary>The words for what invariants forbid, for people who do not know their names.</summary>
internal static class InvariantWords
{
    private static readonly Dictionary<string, string> s_words = new(StringComparer.Ordinal)
    {
        ["delivery"] = "an acknowledged message never came, or one came twice that may come once",
        ["durability"] = "an acknowledged message never came to a session that the broker has to keep",
        ["order"] = "a message came after a later one of the same publisher",
        ["loop-free"] = "a message took the same way more than once",
        ["content"] = "a reader got something else than was published",
        ["addressee"] = "a reader got a message that it had not subscribed to",
        ["retain"] = "a message came with the flag RETAIN, which its publisher had not set",
        ["qos"] = "a message came with another quality of service than it should",
        ["dup"] = "a message was marked as a repeat when it first came",
        ["session"] = "a broker said wrongly whether it knew a client's session",
        ["retained"] = "brokers disagree about a retained message",
        ["shared subscription"] = "a shared subscription got a message twice, or not at all",
        ["take-over"] = "an older connection stayed when its client connected elsewhere",
        ["subscription in force"] = "a subscription missed messages soon after it was acknowledged",
        ["will"] = "a will came wrongly, or did not come",
    };

    /// <summary>The words for an invariant; its name where it has none.</summary>
    public static string Of(string invariant) => s_words.GetValueOrDefault(invariant, invariant);
}
