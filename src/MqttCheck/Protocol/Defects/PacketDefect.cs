using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Protocol.Defects;

/// <summary>
/// One way to break a rule of the wire format: turns a legal packet into bytes that break that rule first. For tests of
/// how a broker refuses them, and of the decoder. <see cref="PacketDefects"/> lists all.
/// </summary>
internal sealed class PacketDefect(
    string name,
    Rule rule,
    DefectVersions versions,
    IReadOnlyList<PacketType> types,
    Func<Packet, ProtocolVersion, byte[]> encode,
    PacketOrigin origin = PacketOrigin.Unknown
)
{
    // No list of reason codes has it.
    internal const ReasonCode UnlistedCode = (ReasonCode)0x7F;

    /// <summary>The name, in words joined by hyphens.</summary>
    public string Name { get; } = name;

    /// <summary>Whose packets it makes illegal; <see cref="PacketOrigin.Unknown"/>: of either side.</summary>
    public PacketOrigin Origin { get; } = origin;

    /// <summary>The reason code that an MQTT 5 peer would give for it.</summary>
    public ReasonCode ReasonCode => Rule.ReasonCode;

    internal Rule Rule { get; } = rule;

    /// <summary>
    /// The statement it breaks ("MQTT-3.3.1-4"), or the section of a rule without a number ("section 2.2.3").
    /// </summary>
    /// <param name="version">The protocol version of the connection.</param>
    public string Statement(ProtocolVersion version) => Rule.Statement(version);

    /// <summary>True if the defect exists for packets of this type in this version.</summary>
    /// <param name="type">The type of the packet to break.</param>
    /// <param name="version">The protocol version of the connection.</param>
    public bool AppliesTo(PacketType type, ProtocolVersion version) =>
        types.Contains(type)
        && (versions & (version >= ProtocolVersion.V5 ? DefectVersions.V5 : DefectVersions.V311)) != 0;

    /// <summary>The bytes of the broken packet. Fields that the defect does not need keep their values.</summary>
    /// <param name="packet">A legal packet of a type that the defect applies to.</param>
    /// <param name="version">The protocol version of the connection; a CONNECT must have the same.</param>
    /// <exception cref="ArgumentException">The defect does not apply to the packet.</exception>
    public byte[] Encode(Packet packet, ProtocolVersion version)
    {
        if (!AppliesTo(packet.Type, version))
            throw new ArgumentException(
                $"The defect {Name} does not exist for {packet.Type} in version {version}.",
                nameof(packet)
            );
        if (packet is ConnectPacket connect && connect.ProtocolVersion != version)
            throw new ArgumentException(
                $"The CONNECT is of version {connect.ProtocolVersion}, not {version}.",
                nameof(packet)
            );
        return encode(packet, version);
    }

    /// <summary>The name.</summary>
    public override string ToString() => Name;

    /// <summary>A defect that changes the packet's value before it is encoded.</summary>
    internal static PacketDefect ByValue<T>(
        string name,
        Rule rule,
        DefectVersions versions,
        PacketType type,
        Func<T, T> change,
        PacketOrigin origin = PacketOrigin.Unknown
    )
        where T : Packet =>
        new(
            name,
            rule,
            versions,
            [type],
            (packet, version) => PacketEncoder.Encode(change((T)packet), version),
            origin
        );

    /// <summary>A defect that changes the packet's bytes.</summary>
    internal static PacketDefect ByBytes(
        string name,
        Rule rule,
        DefectVersions versions,
        IReadOnlyList<PacketType> types,
        Func<byte[], byte[]> change
    ) => new(name, rule, versions, types, (packet, version) => change(PacketEncoder.Encode(packet, version)));
}
