namespace MqttCheck.Reports.Documents.Lanes;

/// <summary>A lane of a <see cref="LanePicture"/>.</summary>
/// <param name="Name">The place.</param>
/// <param name="Notes">What happened to the place, in a few words each.</param>
/// <param name="Shades">When it was disturbed, as shares of the time axis.</param>
/// <param name="Strips">Its marks, one strip for each kind.</param>
internal sealed record PictureLane(
    string Name,
    IReadOnlyList<string> Notes,
    IReadOnlyList<LaneShade> Shades,
    IReadOnlyList<LaneStrip> Strips
);
