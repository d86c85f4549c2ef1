namespace MqttCheck.Reports.Formats;

/// <summary>Pictures in texts: shown in Markdown, named where files cannot be shown.</summary>
internal static class PictureText
{
    /// <summary>Writes a section of Markdown that shows pictures.</summary>
    /// <param name="writer">The writer of the text; it stays open.</param>
    /// <param name="pictures">The pictures.</param>
    /// <param name="directory">The directory that the text lies in: links are relative to it.</param>
    public static void Show(TextWriter writer, IReadOnlyList<DrawnPicture> pictures, string directory)
    {
        if (pictures.Count == 0)
            return;
        writer.Write("\n## Pictures\n");
        foreach (var picture in pictures)
            writer.Write(
                $"\n![{MarkdownText.Escape(picture.Caption)}]({Link(directory, picture.Path)} "
                    + $"\"{MarkdownText.Escape(picture.Title).Replace("\"", "\\\"", StringComparison.Ordinal)}\")\n"
            );
    }

    /// <summary>
    /// Writes a section of Markdown that names pictures: a job summary cannot show files, but the artifact that they
    /// are uploaded with can.
    /// </summary>
    /// <param name="writer">The writer of the text; it stays open.</param>
    /// <param name="pictures">The pictures.</param>
    public static void Name(TextWriter writer, IReadOnlyList<DrawnPicture> pictures)
    {
        if (pictures.Count == 0)
            return;
        writer.Write(
            $"\n## Pictures\n\nFiles of the artifact with `{Directory(pictures)}`; "
                + "each is there as PNG and SVG.\n\n| file | picture | |\n|---|---|---|\n"
        );
        foreach (var picture in pictures)
            writer.Write(
                $"| `{Path.GetFileName(picture.Path)}` | {MarkdownText.Escape(picture.Title)} "
                    + $"| {MarkdownText.Escape(picture.Caption)} |\n"
            );
    }

    /// <summary>The pictures in one sentence, with the names of their files.</summary>
    /// <param name="pictures">The pictures, at least one.</param>
    public static string Sentence(IReadOnlyList<DrawnPicture> pictures)
    {
        return $"{Words.Counted(pictures.Count, "picture")} in {Directory(pictures)}, each as PNG and SVG: "
            + $"{string.Join(", ", pictures.Select(picture => Path.GetFileNameWithoutExtension(picture.Path)))}. "
            + "Upload the directory as an artifact to keep them.";
    }

    private static string Directory(IReadOnlyList<DrawnPicture> pictures) =>
        (Path.GetDirectoryName(pictures[0].Path) ?? "").Replace('\\', '/') + "/";

    // Spaces and brackets would end a link.
    private static string Link(string directory, string path) =>
        string.Join(
            '/',
            Path.GetRelativePath(directory, Path.GetFullPath(path))
                .Replace('\\', '/')
                .Split('/')
                .Select(part => part == ".." ? part : Uri.EscapeDataString(part))
        );
}
