namespace MqttCheck.App.Clusters.Survival;

/// <summary>Whom a fault of the table hits.</summary>
internal enum SurvivalTarget
{
    /// <summary>The only broker, with all that belongs to it.</summary>
    Broker,

    /// <summary>One of several brokers, drawn anew in each run.</summary>
    One,

    /// <summary>More than half of the nodes.</summary>
    Majority,

    /// <summary>All nodes.</summary>
    All,

    /// <summary>The links between the first broker and all other nodes.</summary>
    Links,
}
