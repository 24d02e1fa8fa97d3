import DOM

/// A link from a page to a feed.
package struct FeedLink: Sendable, Equatable {
  /// The absolute URL.
  package let url: String
  /// The title in the page, or empty.
  package let title: String

  package init(url: String, title: String) {
    self.url = url
    self.title = title
  }
}

extension FeedLink {
  /// Whether the feed contains comments on pages rather than articles.
  package var isCommentFeed: Bool {
    let title = title.lowercased()
    return url.lowercased().contains("comment")
      || Self.commentWords.contains { title.contains($0) }
  }

  /// The words in titles by which feeds of comments are recognized. Blog programs write them in the
  /// language of the blog.
  private static let commentWords = [
    "comment", "kommentar", "kommentit", "comentari", "comentário", "reacties", "komentar",
    "komentář", "komentár", "hozzászólás", "yorum", "комментар", "коментар", "σχόλια", "תגובות",
    "コメント", "评论", "評論", "迴響", "댓글",
  ]
}
