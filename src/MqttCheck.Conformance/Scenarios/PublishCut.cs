namespace MqttCheck.Conformance.Scenarios;

/// <summary>
/// The point at which the publisher stops its half of an exchange; it continues when it resumes the session.
/// </summary>
internal enum PublishCut : byte
{
    /// <summary>Nowhere.</summary>
    None,

    /// <summary>After PUBLISH: the answer is not waited for, and PUBREC gets no PUBREL.</summary>
    AfterPublish,

    /// <summary>After PUBREC: no PUBREL is sent.</summary>
    AfterPubrec,

    /// <summary>After PUBREL: the connection is lost right behind it, so that PUBCOMP does not come.</summary>
    AfterPubrel,
}
