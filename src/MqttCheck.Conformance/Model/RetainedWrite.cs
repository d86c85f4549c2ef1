using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Model;

/// <summary>
/// A publication with RETAIN, as a write to the register of its topic. It takes effect between its start and its end.
/// </summary>
internal sealed class RetainedWrite(Publication publication, int start)
{
    public Publication Publication => publication;

    public int Start { get; } = start;

    /// <summary>
    /// The entry of the acknowledgement, or, at QoS 0, of the PINGRESP that shows that it was received; null if none
    /// came.
    /// </summary>
    public int? End { get; set; }

    /// <summary>The entries between which each subscription read it.</summary>
    public List<(int Start, int End)> Reads { get; } = [];

    /// <summary>Whether its end is not an acknowledgement of its own, which QoS 0 does not have.</summary>
    public bool IsOfQos0 => publication.Qos == QualityOfService.AtMostOnce;

    public bool IsDelete => publication.Packet.Payload.IsEmpty;

    /// <summary>Whether the register may hold this message when a read that begins at an entry takes place.</summary>
    /// <param name="read">The entry.</param>
    /// <param name="writes">All writes to the register.</param>
    public bool MayBeHeldAt(int read, List<RetainedWrite> writes) =>
        !writes.Exists(later => later.Start > End && later.End < read);
}
