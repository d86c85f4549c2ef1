namespace MqttCheck.Captures.Populations;

/// <summary>How the clients of a group share topics or filters.</summary>
internal enum TopicShare
{
    /// <summary>All have the same one, which may have wildcards.</summary>
    One,

    /// <summary>Each has its own.</summary>
    Own,

    /// <summary>Each takes some of those that there are.</summary>
    Some,
}
