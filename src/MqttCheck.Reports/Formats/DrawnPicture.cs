namespace MqttCheck.Reports.Formats;

/// <summary>A picture that was drawn beside a report.</summary>
/// <param name="Title">Its heading.</param>
/// <param name="Caption">The caption, which says what it shows and how to read it.</param>
/// <param name="Path">The PNG file; the SVG file of the same name lies beside it.</param>
public sealed record DrawnPicture(string Title, string Caption, string Path);
