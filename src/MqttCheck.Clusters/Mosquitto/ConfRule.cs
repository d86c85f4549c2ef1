namespace MqttCheck.Clusters.Mosquitto;

/// <summary>The kinds of remarks about configurations.</summary>
internal enum ConfRule
{
    /// <summary>A publication goes round without end.</summary>
    Loop,

    /// <summary>A broker gets more than one copy of a publication.</summary>
    Copies,

    /// <summary>A broker gets its own publication back.</summary>
    Echo,

    /// <summary>A line forwards what no broker of these files has.</summary>
    DeadTopic,

    /// <summary>Links of one way have different qualities of service.</summary>
    MixedQos,

    /// <summary>Messages are lost while a link or a node is away.</summary>
    LostWhenAway,

    /// <summary>A setting has no effect.</summary>
    NoEffect,

    /// <summary>Two bridges use one client identifier at one broker.</summary>
    SameClientId,

    /// <summary>Two lines of a bridge forward the same topics.</summary>
    OverlappingLines,

    /// <summary>A pattern of an access list does not do what it seems to.</summary>
    AclPattern,

    /// <summary>The setting is newer than the installed Mosquitto.</summary>
    NewerKey,

    /// <summary>A listener puts something in front of the topics of a bridge.</summary>
    MountPoint,

    /// <summary>The remote broker is known not to take such a bridge.</summary>
    Refused,
}
